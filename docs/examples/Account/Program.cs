using System.Collections.Generic;
using Pulumi;
using Reseller = Pulumi.Reseller;

return await Deployment.RunAsync(() =>
{
    var acme = new Reseller.Account("acme", new()
    {
        Name = "Acme Telecom",
        Description = "Reseller for the north",
        Reference = "crm-1001",
        Timezone = "Europe/Amsterdam",
        CountryCode = "NL",
        AcceptCharges = true,
    });

    return new Dictionary<string, object?>
    {
        ["accountId"] = acme.Id,
    };
});
