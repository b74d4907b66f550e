"""The conformance run, against a sandbox: everything that is made by hand, used as a stranger would.

CONDITIONS in the environment: JSON with url, faults (an address in front of the same service: below /cut/ the first
stream breaks after an event, below /silent/ it says nothing, below /relayed/ it is another program), key, secret and deliveries.
"""

import asyncio
import atexit
import json
import os
from typing import Any, Dict, List, Optional

from barograph_client import AsyncClient, Client, ServiceError, SignatureError, verify_webhook

CONDITIONS = json.loads(os.environ["CONDITIONS"])
URL, FAULTS, KEY = CONDITIONS["url"], CONDITIONS["faults"], CONDITIONS["key"]
SYMBOL, SILENCE = "SPY", 1.5


def at(url: str, key: str = KEY, trusted: bool = False) -> Client:
    """A client that is closed with the program."""
    made = Client(url, key, trusted=trusted)
    atexit.register(made.close)
    return made


client = at(URL)


def trigger(event: str) -> str:
    return client.trigger(event=event, symbol=SYMBOL).data[-1].event_id


def listen(base_url: str) -> Dict[str, Any]:
    """Triggers once it is connected, and again when that event is there; ends with the second."""
    ids: List[str] = []
    beginnings: List[str] = []
    problems: List[str] = []
    triggered: List[str] = []

    def connected(beginning: str) -> None:
        beginnings.append(beginning)
        if not triggered:
            triggered.append(trigger("signal.high_risk"))

    newest = next(client.alert_transitions(page_size=1)).event_id
    # The address in front is none of the service: it cannot prove itself.
    events = at(base_url, trusted=True).events(
        symbols=[SYMBOL],
        after=newest,
        silence=SILENCE,
        on_connect=connected,
        on_problem=lambda error: problems.append(error.kind),
    )
    for event in events:
        if event.event not in ("signal.normal", "signal.elevated", "signal.high_risk"):
            continue
        ids.append(event.event_id)
        if event.event_id != triggered[-1]:
            continue
        if len(triggered) == 2:
            break
        triggered.append(trigger("signal.normal"))
    events.close()
    return {"once": len(set(ids)) == len(ids), "beginnings": beginnings, "problems": problems}


async def rows_of_history() -> int:
    """By the other client."""
    async with AsyncClient(URL, KEY) as other:
        return len([row async for row in other.history(symbol=SYMBOL, page_size=20)])


def proven(name: str) -> str:
    delivery = CONDITIONS["deliveries"][name]
    try:
        return verify_webhook(delivery["body"].encode(), delivery["headers"], CONDITIONS["secret"]).event
    except SignatureError as error:
        return error.reason


def refused(by: Client, symbol: str) -> Optional[Dict[str, Any]]:
    try:
        by.signal(symbol=symbol)
    except ServiceError as error:
        waits = error.retry_after is not None and error.retry_after > 0
        return {"kind": error.kind, "status": error.status, "code": error.code, "waits": waits}
    return None


def kind_of(by: Client) -> Optional[str]:
    failed = refused(by, SYMBOL)
    return None if failed is None else failed["kind"]


# First, while the service's bucket is full: a refused stream would be the one that breaks.
cut, silent = listen(f"{FAULTS}/cut"), listen(f"{FAULTS}/silent")
numbers: List[int] = []
for row in client.event_log(page_size=10):
    numbers.append(row.seq)
    if len(numbers) == 25:
        break
report: Dict[str, Any] = {
    "snapshot": len(list(client.snapshot(page_size=2))),
    "history": asyncio.run(rows_of_history()),
    "events": {"count": len(numbers), "withoutHoles": numbers == list(range(numbers[0], numbers[0] + len(numbers)))},
    "cut": cut,
    "silent": silent,
    "webhooks": {name: proven(name) for name in ("good", "forged", "late")},
    "unproven": kind_of(at(f"{FAULTS}/relayed")),
    "unauthorized": refused(at(URL, "svc_test_notthekeynotthekey", trusted=True), SYMBOL),
    "notCovered": refused(client, "NOPE"),
}
held = None
for _ in range(500):
    held = refused(client, SYMBOL)
    if held is not None:
        break
report["heldBack"] = held
report["rateLimited"] = refused(at(URL), SYMBOL)
print(json.dumps(report))
