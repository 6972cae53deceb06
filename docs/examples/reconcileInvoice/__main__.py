import pulumi
import pulumi_reseller as reseller

march = reseller.reconcile_invoice(invoice_id="inv-2026-03",
    accounts=[
        {
            "reference": "crm-1001",
        },
        {
            "name": "Globex Voice",
        },
    ])
pulumi.export("result", f"Billed as declared: {march.matches}")
