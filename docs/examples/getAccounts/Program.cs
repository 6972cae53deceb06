using System.Collections.Generic;
using Pulumi;
using Reseller = Pulumi.Reseller;

return await Deployment.RunAsync(() =>
{
    var active = Reseller.GetAccounts.Invoke(new()
    {
        Enabled = true,
        NamePrefix = "Acme",
    });

    return new Dictionary<string, object?>
    {
        ["first"] = active.Apply(found => $"{found.Accounts[0].Name} has id {found.Accounts[0].Id}"),
    };
});
