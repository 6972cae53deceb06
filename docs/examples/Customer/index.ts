import * as pulumi from "@pulumi/pulumi";
import * as reseller from "pulumi-reseller-native";

const config = new pulumi.Config();
const pbxApiKey = config.requireSecret("pbxApiKey");
const shop = new reseller.Customer("shop", {
    name: "Bakery on the Square",
    timezone: "Europe/Amsterdam",
    culture: "nl-NL",
    pbxConnectionProfile: {
        kind: "ExamplePbxConnectionProfile",
        hostRest: "https://pbx.example.com",
        hostWebsocket: "wss://pbx.example.com",
        accountId: "1001",
        apiKey: pbxApiKey,
    },
    acceptCharges: true,
});
export const customerId = shop.id;
