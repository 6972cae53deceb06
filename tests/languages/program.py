"""One account and one customer, declared in Python, through the Automation API."""

import json
import os
import sys

import pulumi
from pulumi import automation as auto
import pulumi_reseller as reseller


def program(description: str):
    def declare() -> None:
        acme = reseller.Account(
            "acme",
            name="Acme Telecom",
            description=description,
            timezone="Europe/Amsterdam",
            country_code="NL",
            accept_charges=True,
        )
        shop = reseller.Customer(
            "shop",
            name="Shop",
            pbx_connection_profile=reseller.PbxConnectionProfileArgs(
                kind="Example",
                host_rest="https://pbx.example",
                host_websocket="wss://pbx.example",
                account_id="1",
                api_key=os.environ["PBX_KEY"],
            ),
            accept_charges=True,
        )
        pulumi.export("id", acme.id)
        pulumi.export("owner", acme.parent_tenant_id)
        pulumi.export("kind", shop.pbx_connection_profile.apply(lambda profile: profile.kind if profile else None))
        pulumi.export("found", reseller.get_account_output(id=acme.id).name)

    return declare


stack = auto.create_or_select_stack(stack_name="dev", project_name="demo", program=program("First"))
first = stack.up()
stack.workspace.program = program("Second")
second = stack.up()
stack.workspace.program = program("Second")
again = stack.preview()
stack.destroy()
outputs = {name: output.value for name, output in second.outputs.items()}
changes = {str(getattr(op, "value", op)): count for op, count in again.change_summary.items()}
json.dump({"outputs": outputs, "changes": changes}, sys.stdout)
