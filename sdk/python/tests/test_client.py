import asyncio
import hashlib
import hmac
import json
import threading
import unittest
import urllib.request
from contextlib import suppress
from datetime import datetime, timezone
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Awaitable, Callable, Dict, List, Optional, Tuple, Type, get_type_hints
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

from barograph_client import (
    AsyncClient,
    Client,
    NetworkError,
    NotCovered,
    NotSent,
    RateLimited,
    Redirected,
    ServerError,
    ServiceError,
    TimedOut,
    Unavailable,
    Unproven,
    Unreadable,
)
from barograph_client._decode import decode
from barograph_client._pace import Pace
from barograph_client._proof import proof_text
from barograph_client._request import _text
from barograph_client.models import Archetypes, Signal

Answer = Tuple[int, Dict[str, str], bytes]


class ServerTest(unittest.TestCase):
    def client(self, url: str, key: str = "", **options: Any) -> Client:
        """One that does not sleep, and is closed with the test."""
        client = Client(url, key, **{"sleep": lambda _: None, **options})
        self.addCleanup(client.close)
        return client

    def serve(
        self,
        answer: Callable[[str, Message], Answer],
        protocol: str = "HTTP/1.0",
        sent: Optional[List[bytes]] = None,
        accepted: Optional[List[Any]] = None,
    ) -> str:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = protocol

            def setup(self) -> None:
                super().setup()
                if accepted is not None:
                    accepted.append(self.client_address)

            def do_GET(self) -> None:
                status, headers, body = answer(self.path, self.headers)
                self.send_response(status)
                for name, value in {"content-length": str(len(body)), **headers}.items():
                    if value:
                        self.send_header(name, value)
                self.end_headers()
                # A client that no longer waits is no fault of the server.
                with suppress(OSError):
                    self.wfile.write(body)

            def do_POST(self) -> None:
                text = self.rfile.read(int(self.headers["content-length"]))
                if sent is not None:
                    sent.append(text)
                self.do_GET()

            def log_message(self, *_: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}/v1/"


class ClientTest(ServerTest):
    def test_the_key_travels_in_a_header_and_parameters_in_the_address(self) -> None:
        asked: List[Tuple[str, Any]] = []

        def answer(path: str, headers: Message) -> Answer:
            asked.append((path, headers["x-api-key"]))
            return 200, {}, b'{"symbol": "A/B", "new": 1}'

        client = self.client(self.serve(answer), "secret", trusted=True)
        self.assertEqual(client.regime(symbol="A/B", as_of="2026-01-01").symbol, "A/B")
        self.assertEqual(asked, [("/v1/regime/A%2FB?as_of=2026-01-01", "secret")])

    def test_true_and_false_are_sent_as_booleans(self) -> None:
        sent: List[bytes] = []
        url = self.serve(lambda *_: (200, {}, b"{}"), sent=sent)
        for value in (True, False):
            self.client(url).set_hard_cap(hard_cap=value)
        self.assertEqual(sent, [b'{"hard_cap": true}', b'{"hard_cap": false}'])
        self.assertEqual(get_type_hints(Client.set_hard_cap)["hard_cap"], bool)
        self.assertEqual([_text(True), _text(False)], ["true", "false"])

    def test_a_list_is_fetched_page_after_page(self) -> None:
        def answer(path: str, _: Message) -> Answer:
            last = "after=" in path
            row = {"symbol": "B" if last else "A"}
            return (
                200,
                {},
                json.dumps({"data": [row], "has_more": not last, "next_cursor": None if last else "c"}).encode(),
            )

        self.assertEqual(
            [row.symbol for row in self.client(self.serve(answer)).alerts(state=["high_risk"])], ["A", "B"]
        )

    def test_a_repeated_cursor_is_an_error(self) -> None:
        url = self.serve(lambda *_: (200, {}, b'{"data": [], "has_more": true, "next_cursor": "c"}'))
        with self.assertRaises(Unreadable):
            list(self.client(url).alerts())

    def test_errors_have_a_class(self) -> None:
        def raised(kind: Type[ServiceError], *answer: Any) -> ServiceError:
            with self.assertRaises(kind) as caught:
                self.client(self.serve(lambda *_: answer)).signal(symbol="X")
            return caught.exception

        error = raised(NotCovered, 404, {}, b'{"code": "SYMBOL_NOT_COVERED", "message": "no X"}')
        self.assertEqual((str(error), error.status, error.code), ("no X", 404, "symbol_not_covered"))
        self.assertEqual(raised(RateLimited, 429, {"retry-after": "7"}, b"").retry_after, 7)
        raised(ServerError, 500, {}, b"<html>")
        raised(Redirected, 302, {"location": "http://127.0.0.1:1/"}, b"")
        raised(Unreadable, 200, {}, b"<html>")
        raised(Unreadable, 200, {}, b"[]")

    def test_silence_is_a_timeout(self) -> None:
        release = threading.Event()
        self.addCleanup(release.set)
        url = self.serve(lambda *_: (release.wait(5), (200, {}, b"{}"))[1])
        with self.assertRaises(TimedOut):
            self.client(url, timeout=0.2).health()
        release.set()

    def test_an_address_that_would_show_the_key_is_refused(self) -> None:
        for url, key in (("http://risk.example", "k"), ("ftp://x", ""), ("https://a:b@c", ""), ("https://c", "a\nb")):
            with self.assertRaises(NotSent):
                self.client(url, key)

    def test_the_stream_goes_on_behind_the_last_event(self) -> None:
        resumed: List[Any] = []

        def answer(path: str, headers: Message) -> Answer:
            resumed.append(headers["last-event-id"])
            event = {"event_id": f"e{len(resumed)}", "event": "x", "data": {}}
            head = b": hello\r\n\r\nid: left-out\n\n" if len(resumed) == 1 else b""
            return 200, {}, head + b"data: " + json.dumps(event).encode() + b"\n\nid: last\n\ndata: cut"

        problems: List[str] = []
        events = self.client(self.serve(answer)).events(on_problem=lambda error: problems.append(error.kind))
        self.assertEqual([next(events).event_id, next(events).event_id], ["e1", "e2"])
        events.close()
        self.assertEqual((resumed, problems), ([None, "last"], ["network"]))

    def test_a_stream_is_tried_again_however_often_that_fails(self) -> None:
        waits: List[float] = []

        def wait(seconds: float) -> None:
            waits.append(seconds)
            if len(waits) == 1_100:
                raise KeyboardInterrupt

        with patch.object(Client, "_open", side_effect=NetworkError("refused")), self.assertRaises(KeyboardInterrupt):
            events = self.client("http://127.0.0.1:9", sleep=wait).events()
            next(events)
        self.assertEqual((len(waits), max(waits) <= 30), (1_100, True))


class RetryTest(ServerTest):
    def calls(self, *answers: Answer, **options: Any) -> Tuple[int, List[float]]:
        """How many GETs were sent, and the waits in between."""
        asked: List[str] = []

        def answer(path: str, _: Message) -> Answer:
            asked.append(path)
            return answers[min(len(asked), len(answers)) - 1]

        waits: List[float] = []
        client = self.client(self.serve(answer), sleep=waits.append, **{"jitter": lambda: 0.5, **options})
        # The time that was waited has passed.
        client._pace = Pace(lambda: sum(waits))
        with suppress(ServiceError):
            client.signal(symbol="X")
        return len(asked), waits

    def test_a_get_is_tried_again_after_a_failure_that_passes(self) -> None:
        fine: Answer = (200, {}, b'{"symbol": "X"}')
        self.assertEqual(self.calls((503, {}, b""), fine), (2, [0.1875]))
        self.assertEqual(self.calls((429, {"retry-after": "1"}, b""), (502, {}, b""), fine), (3, [1, 0.375]))
        self.assertEqual(self.calls((200, {"content-length": "50"}, b"{"), fine), (2, [0.1875]))
        self.assertEqual(self.calls((503, {}, b""))[0], 3)
        self.assertEqual(self.calls((503, {}, b""), retries=0)[0], 1)

    def test_what_does_not_pass_or_waits_long_is_not(self) -> None:
        for answer in ((429, {"retry-after": "3"}, b""), (500, {}, b""), (401, {}, b""), (200, {}, b"<html>")):
            self.assertEqual(self.calls(answer), (1, []))

    def test_nothing_but_a_get_is_sent_twice(self) -> None:
        sent: List[bytes] = []
        client = self.client(self.serve(lambda *_: (503, {}, b""), sent=sent))
        with self.assertRaises(Unavailable):
            client.set_hard_cap(hard_cap=True)
        self.assertEqual(len(sent), 1)

    def test_connections_are_kept_and_end_with_the_client(self) -> None:
        agents: List[Any] = []
        connections: List[Any] = []

        def answer(_: str, headers: Message) -> Answer:
            agents.append(headers["user-agent"])
            return 200, {}, b"{}"

        url = self.serve(answer, "HTTP/1.1", accepted=connections)
        with Client(url, user_agent="desk/1.4") as client:
            for _ in range(3):
                client.health()
        with self.assertRaises(NotSent):
            client.health()
        self.assertEqual((len(agents), len(connections)), (3, 1))
        self.assertTrue(agents[0].startswith("desk/1.4 barograph-python/"), agents[0])

    def test_closing_ends_a_stream_of_another_thread(self) -> None:
        event = b'data: {"event_id": "e1", "event": "x"}\n\n'
        client = self.client(self.serve(lambda *_: (200, {"content-length": "99999"}, event), "HTTP/1.1"))
        events = client.events()
        self.assertEqual(next(events).event_id, "e1")
        closing = threading.Timer(0, client.close)
        closing.start()
        self.assertEqual(list(events), [])
        closing.join()


class AsyncTest(ServerTest):
    def run_with(
        self, url: str, program: Callable[[AsyncClient], Awaitable[None]], key: str = "", **options: Any
    ) -> None:
        async def run() -> None:
            async with AsyncClient(url, key, **{"sleep": lambda _: asyncio.sleep(0), **options}) as client:
                await program(client)

        asyncio.run(run())

    def test_calls_lists_errors_and_retries_are_those_of_the_other_client(self) -> None:
        asked: List[str] = []
        connections: List[Any] = []

        def answer(path: str, _: Message) -> Answer:
            asked.append(path.partition("?")[0])
            if asked.count("/v1/signal") == 1 and path.startswith("/v1/signal"):
                return 503, {}, b""
            if path.startswith("/v1/alerts"):
                last = "after=" in path
                rows = [{"symbol": "B" if last else "A"}]
                return 200, {}, json.dumps({"data": rows, "next_cursor": None if last else "c"}).encode()
            return (404, {}, b'{"code": "symbol_not_covered"}') if "NOPE" in path else (200, {}, b'{"symbol": "SPY"}')

        async def program(client: AsyncClient) -> None:
            self.assertEqual((await client.signal(symbol="SPY")).symbol, "SPY")
            self.assertEqual([row.symbol async for row in client.alerts()], ["A", "B"])
            with self.assertRaises(NotCovered):
                await client.regime(symbol="NOPE")
            await client.set_hard_cap(hard_cap=True)

        self.run_with(self.serve(answer, "HTTP/1.1", accepted=connections), program)
        self.assertEqual((asked.count("/v1/signal"), len(connections)), (2, 1))

    def test_calls_run_beside_each_other_and_a_silent_service_times_out(self) -> None:
        both, release = threading.Barrier(2, timeout=5), threading.Event()
        self.addCleanup(release.set)

        def answer(path: str, _: Message) -> Answer:
            if path.startswith("/v1/signal"):
                both.wait()
            else:
                release.wait(5)
            return 200, {}, b"{}"

        async def program(client: AsyncClient) -> None:
            await asyncio.gather(client.signal(symbol="A"), client.signal(symbol="B"))
            with self.assertRaises(TimedOut):
                await client.health()

        self.run_with(self.serve(answer, "HTTP/1.1"), program, timeout=1.0)

    def test_the_stream_goes_on_behind_the_last_event(self) -> None:
        resumed: List[Any] = []

        def answer(_: str, headers: Message) -> Answer:
            resumed.append(headers["last-event-id"])
            text = b': hello\r\n\r\ndata: {"event_id": "e%d", "event": "x"}\n\n' % len(resumed)
            chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (text[:20], text[20:]))
            return 200, {"transfer-encoding": "chunked", "content-length": ""}, chunks + b"0\r\n\r\n"

        async def program(client: AsyncClient) -> None:
            events = client.events()
            self.assertEqual([(await events.__anext__()).event_id for _ in range(2)], ["e1", "e2"])
            await events.aclose()

        self.run_with(self.serve(answer, "HTTP/1.1"), program)
        self.assertEqual(resumed, [None, "e1"])

    def test_the_key_follows_the_proof(self) -> None:
        keys: List[Any] = []

        def answering(knows: str) -> Callable[[str, Message], Answer]:
            def answer(path: str, headers: Message) -> Answer:
                keys.append(headers["x-api-key"])
                return 200, {}, proof_of(knows, path) if path.startswith("/v1/proof?") else b"{}"

            return answer

        async def twice(client: AsyncClient) -> None:
            await client.health()
            await client.health()

        async def refused(client: AsyncClient) -> None:
            with self.assertRaises(Unproven):
                await client.health()

        self.run_with(self.serve(answering(KEY), "HTTP/1.1"), twice, KEY)
        self.run_with(self.serve(answering("another"), "HTTP/1.1"), refused, KEY)
        self.run_with(self.serve(answering(KEY), "HTTP/1.0"), refused, KEY)
        self.assertEqual(keys, [None, KEY, KEY, None, None])


KEY = "svc_test_aaaaaaaaaaaaaaaaaaaa"


def proof_of(key: str, path: str) -> bytes:
    asked = {name: values[0] for name, values in parse_qs(urlsplit(path).query).items()}
    digest = hashlib.sha256(key.encode()).hexdigest()
    text = proof_text(asked["origin"], asked["key"], asked["nonce"])
    return json.dumps({"proof": hmac.new(digest.encode(), text, hashlib.sha256).hexdigest()}).encode()


class ProofTest(ServerTest):
    def service(self, knows: str, keys: List[Any], refusal: Any = None, protocol: str = "HTTP/1.1") -> str:
        def answer(path: str, headers: Message) -> Answer:
            keys.append(headers["x-api-key"])
            if not path.startswith("/v1/proof?"):
                return 200, {}, b'{"symbol": "SPY"}'
            return refusal or (200, {}, proof_of(knows, path))

        return self.serve(answer, protocol)

    def test_the_key_follows_the_proof_at_every_connection(self) -> None:
        keys: List[Any] = []
        url = self.service(KEY, keys)
        for base in (url, url.replace("http", "HTTP"), url.replace("127.0.0.1", "localhost")):
            self.assertEqual(self.client(base, KEY).signal(symbol="SPY").symbol, "SPY")
        self.assertEqual(keys, [None, KEY] * 3)

    def test_without_a_proof_nothing_else_is_sent(self) -> None:
        for answer, kind in (
            (None, Unproven),
            ((404, {}, b"{}"), Unproven),
            ((200, {}, b'{"proof": 7}'), Unproven),
            ((200, {}, b"[]"), Unproven),
            ((200, {}, b'{"proof": "\xc3\xa9"}'), Unproven),
            ((302, {"location": "http://127.0.0.1:1/"}, b""), Unproven),
            ((503, {"retry-after": "3"}, b""), Unavailable),
        ):
            keys: List[Any] = []
            client = self.client(self.service("another", keys, answer), KEY)
            with self.assertRaises(kind):
                client.signal(symbol="SPY")
            with self.assertRaises(kind):
                list(client.alerts())
            self.assertEqual(keys, [None, None])

    def test_a_connection_that_ends_with_its_proof_carries_no_key(self) -> None:
        keys: List[Any] = []
        with self.assertRaises(Unproven):
            self.client(self.service(KEY, keys, protocol="HTTP/1.0"), KEY).health()
        self.assertEqual(keys, [None])

    def test_the_proof_of_an_address_is_none_of_another(self) -> None:
        keys: List[Any] = []
        service = self.service(KEY, [])

        def relay(path: str, headers: Message) -> Answer:
            keys.append(headers["x-api-key"])
            origin = service.replace("/v1/", "")
            with urllib.request.urlopen(service + path[4:].replace(path.split("origin=")[1], origin)) as answer:
                return 200, {}, answer.read()

        with self.assertRaises(Unproven):
            self.client(self.serve(relay, "HTTP/1.1"), KEY).health()
        self.assertEqual(keys, [None])

    def test_a_service_without_a_proof_may_be_trusted_and_without_a_key_there_is_none(self) -> None:
        keys: List[Any] = []
        url = self.service("another", keys)
        self.client(url, KEY, trusted=True).health()
        self.client(url).health()
        self.assertEqual(keys, [KEY, None])

    def test_a_stream_waits_for_its_service_while_another_program_has_the_address(self) -> None:
        keys: List[Any] = []
        knows = [KEY, "another", KEY]

        def answer(path: str, headers: Message) -> Answer:
            keys.append(headers["x-api-key"])
            if path.startswith("/v1/proof?"):
                return 200, {}, proof_of(knows.pop(0), path)
            return 200, {}, b'data: {"event_id": "e%d", "event": "x"}\n\n' % len(keys)

        problems: List[str] = []
        events = self.client(self.serve(answer, "HTTP/1.1"), KEY).events(
            on_problem=lambda error: problems.append(error.kind)
        )
        self.assertEqual([next(events).event_id, next(events).event_id], ["e2", "e5"])
        self.assertEqual((keys, problems), ([None, KEY, None, None, KEY], ["network", "unproven"]))
        events.close()


class PaceTest(unittest.TestCase):
    def test_a_call_waits_for_its_place_or_is_not_sent(self) -> None:
        clock = [100.0]
        pace = Pace(lambda: clock[0])

        def headers(left: int, seconds: int, policy: str = "") -> Message:
            made = Message()
            made["ratelimit"] = f'"endpoint";r={left};t={seconds}, "month";r=0;t=90000'
            made["ratelimit-policy"] = policy
            return made

        pace.answered("/a", 200, headers(1, 30))
        self.assertEqual(pace.take("/a"), 0)
        pace.answered("/a", 200, headers(0, 30))
        with self.assertRaises(RateLimited) as caught:
            pace.take("/a")
        self.assertEqual((caught.exception.status, caught.exception.retry_after), (None, 30))
        self.assertEqual(pace.take("/b"), 0)
        clock[0] += 29
        self.assertEqual(pace.take("/a"), 1)
        pace.answered("/a", 200, headers(0, 30, '"endpoint";q=100;w=60;enforced=0'))
        self.assertEqual(pace.take("/a"), 0)

    def test_the_bucket_of_the_plan_is_shared(self) -> None:
        pace = Pace(lambda: 100.0)
        made = Message()
        made["ratelimit"] = '"endpoint";r=9;t=30, "plan";r=0;t=1'
        made["ratelimit-policy"] = '"endpoint";q=100;w=60, "plan";q=120;w=60;burst=20'
        pace.answered("/a", 200, made)
        self.assertEqual(pace.take("/b"), 0.5)


class DecodeTest(unittest.TestCase):
    def test_unknown_fields_are_ignored_and_missing_ones_are_none(self) -> None:
        signal = decode(Signal, {"symbol": "SPY", "state": 7, "regime": "unheard_of", "later": {}})
        self.assertEqual((signal.symbol, signal.state, signal.regime, signal.price), ("SPY", 7, "unheard_of", None))

    def test_times_are_datetimes_and_what_is_none_is_none(self) -> None:
        read = decode(Signal, {"since": "2026-03-02T14:30:00.000Z", "updated_at": "soon", "decided_at": 7})
        self.assertEqual(read.since, datetime(2026, 3, 2, 14, 30, tzinfo=timezone.utc))
        self.assertEqual((read.updated_at, read.decided_at), (None, None))

    def test_names_with_blanks_find_their_field(self) -> None:
        read = decode(Archetypes, {"powers": {"risk premium": 0.5}, "dimensions": [{"code": "D-01"}]})
        self.assertEqual((read.powers.risk_premium, read.dimensions[0].code), (0.5, "D-01"))
