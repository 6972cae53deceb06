import pulumi
import pulumi_reseller as reseller

active = reseller.get_accounts(enabled=True,
    name_prefix="Acme")
pulumi.export("first", f"{active.accounts[0].name} has id {active.accounts[0].id}")
