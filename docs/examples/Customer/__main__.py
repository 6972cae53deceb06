import pulumi
import pulumi_reseller as reseller

config = pulumi.Config()
pbx_api_key = config.require_secret("pbxApiKey")
shop = reseller.Customer("shop",
    name="Bakery on the Square",
    timezone="Europe/Amsterdam",
    culture="nl-NL",
    pbx_connection_profile={
        "kind": "ExamplePbxConnectionProfile",
        "host_rest": "https://pbx.example.com",
        "host_websocket": "wss://pbx.example.com",
        "account_id": "1001",
        "api_key": pbx_api_key,
    },
    accept_charges=True)
pulumi.export("customerId", shop.id)
