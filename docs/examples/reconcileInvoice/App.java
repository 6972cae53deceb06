import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.reseller.ResellerFunctions;
import com.reseller.inputs.DeclaredTenantArgs;
import com.reseller.inputs.ReconcileInvoiceArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        var march = ResellerFunctions.reconcileInvoice(ReconcileInvoiceArgs.builder()
            .invoiceId("inv-2026-03")
            .accounts(
                DeclaredTenantArgs.builder().reference("crm-1001").build(),
                DeclaredTenantArgs.builder().name("Globex Voice").build())
            .build());

        ctx.export("result", march.applyValue(invoice -> "Billed as declared: " + invoice.matches()));
    }
}
