import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.reseller.Account;
import com.reseller.AccountArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        var acme = new Account("acme", AccountArgs.builder()
            .name("Acme Telecom")
            .description("Reseller for the north")
            .reference("crm-1001")
            .timezone("Europe/Amsterdam")
            .countryCode("NL")
            .acceptCharges(true)
            .build());

        ctx.export("accountId", acme.id());
    }
}
