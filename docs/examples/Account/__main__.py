import pulumi
import pulumi_reseller as reseller

acme = reseller.Account("acme",
    name="Acme Telecom",
    description="Reseller for the north",
    reference="crm-1001",
    timezone="Europe/Amsterdam",
    country_code="NL",
    accept_charges=True)
pulumi.export("accountId", acme.id)
