import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.reseller.ResellerFunctions;
import com.reseller.inputs.GetInvoiceDetailArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        var march = ResellerFunctions.getInvoiceDetail(GetInvoiceDetailArgs.builder()
            .invoiceId("inv-2026-03")
            .path("invoices")
            .build());

        ctx.export("total", march.applyValue(invoice ->
            String.format("%s in %s transactions", invoice.transactionValue(), invoice.transactions())));
    }
}
