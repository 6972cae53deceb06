import pulumi
import pulumi_reseller as reseller

march = reseller.get_invoice_detail(invoice_id="inv-2026-03",
    path="invoices")
pulumi.export("total", f"{march.transaction_value} in {march.transactions} transactions")
