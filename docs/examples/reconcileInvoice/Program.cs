using System.Collections.Generic;
using Pulumi;
using Reseller = Pulumi.Reseller;

return await Deployment.RunAsync(() =>
{
    var march = Reseller.ReconcileInvoice.Invoke(new()
    {
        InvoiceId = "inv-2026-03",
        Accounts = new[]
        {
            new Reseller.Inputs.DeclaredTenantInputArgs { Reference = "crm-1001" },
            new Reseller.Inputs.DeclaredTenantInputArgs { Name = "Globex Voice" },
        },
    });

    return new Dictionary<string, object?>
    {
        ["result"] = march.Apply(invoice => $"Billed as declared: {invoice.Matches}"),
    };
});
