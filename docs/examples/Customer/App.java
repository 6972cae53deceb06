import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.reseller.Customer;
import com.reseller.CustomerArgs;
import com.reseller.inputs.PbxConnectionProfileArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        var pbxApiKey = ctx.config().requireSecret("pbxApiKey");
        var shop = new Customer("shop", CustomerArgs.builder()
            .name("Bakery on the Square")
            .timezone("Europe/Amsterdam")
            .culture("nl-NL")
            .pbxConnectionProfile(PbxConnectionProfileArgs.builder()
                .kind("ExamplePbxConnectionProfile")
                .hostRest("https://pbx.example.com")
                .hostWebsocket("wss://pbx.example.com")
                .accountId("1001")
                .apiKey(pbxApiKey)
                .build())
            .acceptCharges(true)
            .build());

        ctx.export("customerId", shop.id());
    }
}
