package main

import (
	"pulumi-reseller/sdk/go/reseller"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		march, err := reseller.ReconcileInvoice(ctx, &reseller.ReconcileInvoiceArgs{
			InvoiceId: "inv-2026-03",
			Accounts: []reseller.DeclaredTenant{
				{
					Reference: pulumi.StringRef("crm-1001"),
				},
				{
					Name: pulumi.StringRef("Globex Voice"),
				},
			},
		}, nil)
		if err != nil {
			return err
		}
		ctx.Export("result", pulumi.Sprintf("Billed as declared: %v", march.Matches))
		return nil
	})
}
