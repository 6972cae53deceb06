package main

import (
	"pulumi-reseller/sdk/go/reseller"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		acme, err := reseller.NewAccount(ctx, "acme", &reseller.AccountArgs{
			Name:          pulumi.String("Acme Telecom"),
			Description:   pulumi.String("Reseller for the north"),
			Reference:     pulumi.String("crm-1001"),
			Timezone:      pulumi.String("Europe/Amsterdam"),
			CountryCode:   pulumi.String("NL"),
			AcceptCharges: pulumi.Bool(true),
		})
		if err != nil {
			return err
		}
		ctx.Export("accountId", acme.ID())
		return nil
	})
}
