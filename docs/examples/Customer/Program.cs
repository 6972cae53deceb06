using System.Collections.Generic;
using Pulumi;
using Reseller = Pulumi.Reseller;

return await Deployment.RunAsync(() =>
{
    var config = new Config();
    var pbxApiKey = config.RequireSecret("pbxApiKey");
    var shop = new Reseller.Customer("shop", new()
    {
        Name = "Bakery on the Square",
        Timezone = "Europe/Amsterdam",
        Culture = "nl-NL",
        PbxConnectionProfile = new Reseller.Inputs.PbxConnectionProfileArgs
        {
            Kind = "ExamplePbxConnectionProfile",
            HostRest = "https://pbx.example.com",
            HostWebsocket = "wss://pbx.example.com",
            AccountId = "1001",
            ApiKey = pbxApiKey,
        },
        AcceptCharges = true,
    });

    return new Dictionary<string, object?>
    {
        ["customerId"] = shop.Id,
    };
});
