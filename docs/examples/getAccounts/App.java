import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.reseller.ResellerFunctions;
import com.reseller.inputs.GetAccountsArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        var active = ResellerFunctions.getAccounts(GetAccountsArgs.builder()
            .enabled(true)
            .namePrefix("Acme")
            .build());

        ctx.export("first", active.applyValue(found ->
            String.format("%s has id %s", found.accounts().get(0).name(), found.accounts().get(0).id())));
    }
}
