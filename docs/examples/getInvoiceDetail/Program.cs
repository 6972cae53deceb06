using System.Collections.Generic;
using Pulumi;
using Reseller = Pulumi.Reseller;

return await Deployment.RunAsync(() =>
{
    var march = Reseller.GetInvoiceDetail.Invoke(new()
    {
        InvoiceId = "inv-2026-03",
        Path = "invoices",
    });

    return new Dictionary<string, object?>
    {
        ["total"] = march.Apply(invoice => $"{invoice.TransactionValue} in {invoice.Transactions} transactions"),
    };
});
