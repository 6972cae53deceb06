package main

import (
	"pulumi-reseller/sdk/go/reseller"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		active, err := reseller.GetAccounts(ctx, &reseller.GetAccountsArgs{
			Enabled:    pulumi.BoolRef(true),
			NamePrefix: pulumi.StringRef("Acme"),
		}, nil)
		if err != nil {
			return err
		}
		ctx.Export("first", pulumi.Sprintf("%v has id %v", active.Accounts[0].Name, active.Accounts[0].Id))
		return nil
	})
}
