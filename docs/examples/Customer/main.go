package main

import (
	"pulumi-reseller/sdk/go/reseller"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		pbxApiKey := cfg.RequireSecret("pbxApiKey")
		shop, err := reseller.NewCustomer(ctx, "shop", &reseller.CustomerArgs{
			Name:     pulumi.String("Bakery on the Square"),
			Timezone: pulumi.String("Europe/Amsterdam"),
			Culture:  pulumi.String("nl-NL"),
			PbxConnectionProfile: &reseller.PbxConnectionProfileArgs{
				Kind:          pulumi.String("ExamplePbxConnectionProfile"),
				HostRest:      pulumi.String("https://pbx.example.com"),
				HostWebsocket: pulumi.String("wss://pbx.example.com"),
				AccountId:     pulumi.String("1001"),
				ApiKey:        pbxApiKey,
			},
			AcceptCharges: pulumi.Bool(true),
		})
		if err != nil {
			return err
		}
		ctx.Export("customerId", shop.ID())
		return nil
	})
}
