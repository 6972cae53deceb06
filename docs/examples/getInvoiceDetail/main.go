package main

import (
	"pulumi-reseller/sdk/go/reseller"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		march, err := reseller.GetInvoiceDetail(ctx, &reseller.GetInvoiceDetailArgs{
			InvoiceId: "inv-2026-03",
			Path:      pulumi.StringRef("invoices"),
		}, nil)
		if err != nil {
			return err
		}
		ctx.Export("total", pulumi.Sprintf("%v in %v transactions", march.TransactionValue, march.Transactions))
		return nil
	})
}
