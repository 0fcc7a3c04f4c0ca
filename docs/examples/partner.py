#!/usr/bin/env python3
"""A shop that accepts bitcoin and is paid in ether, with tests that start their own sandbox.

    python3 partner.py

Needs Python 3.9 or newer and `swapctl`, or the command in SWAPCTL. Uses only the standard library.
"""

import hashlib
import hmac
import json
import os
import re
import shlex
import subprocess
import unittest
import urllib.error
import urllib.parse
import urllib.request
from decimal import Decimal

PAYOUT_ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
NEW, SUCCESS, OVERDUE, FROZEN = 9, 4, 5, 11


class Refused(Exception):
    """The service refused a request: `status` is the HTTP status, `message` the service's message."""

    def __init__(self, status, message):
        super().__init__(f"{status}: {message}")
        self.status, self.message = status, message


class LostAnswer(Exception):
    """The connection broke before the response. After a create, an order may exist: do not simply retry."""


def call(method, url, headers, body=None):
    """Sends JSON and returns the JSON of the response. Amounts are Decimal, because float would change them."""
    data = None if body is None else json.dumps(body, default=str).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json", **headers}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.loads(answer.read(), parse_float=Decimal, parse_int=Decimal)
    except urllib.error.HTTPError as error:
        problem = json.loads(error.read())
        raise Refused(error.code, problem.get("message") or problem["error"]["message"]) from None
    except OSError as error:
        raise LostAnswer(str(error)) from None


class Partner:
    """The shop's client of the partner API."""

    def __init__(self, base_url, public_key, secret):
        self.base_url, self.public_key, self.secret = base_url, public_key, secret

    def _call(self, method, endpoint, query=None, body=None):
        signature = hmac.new(self.secret.encode(), endpoint.encode(), hashlib.sha512).hexdigest()
        headers = {
            "x-api-public-key": self.public_key,
            "x-api-payload": endpoint,
            "x-api-signature": signature,
        }
        url = f"{self.base_url}/api/private/{endpoint}"
        return call(method, f"{url}?{urllib.parse.urlencode(query)}" if query else url, headers, body)

    def create(self, amount):
        """Creates a swap of `amount` BTC. The API wants a JSON number; float is exact enough for these tests."""
        swap = {
            "depositCoin": "BTC",
            "depositNetwork": "BTC",
            "depositAmount": amount,
            "receiveCoin": "ETH",
            "receiveNetwork": "ETH",
            "receiveAddress": PAYOUT_ADDRESS,
            "typeSwap": 2,
            "lastSource": "deposit",
        }
        return self._call("POST", "create-transaction", body=swap)

    def transaction(self, order):
        return self._call("GET", "get-transaction", {"id": order})


class Sandbox:
    """A sandbox in memory, which ends with the tests."""

    def __init__(self):
        command = shlex.split(os.environ.get("SWAPCTL", "swapctl"))
        flags = ["--ephemeral", "--seed", "1", "--port", "0", "--admin-port", "0"]
        self.process = subprocess.Popen(
            [*command, "sandbox", "start", *flags], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.base_url = self.process.stdout.readline().split()[-1]
        keys = json.loads(self.process.stdout.readline())
        self.partner = Partner(self.base_url, keys["publicKey"], keys["secret"])
        for line in self.process.stderr:
            found = re.search(r"operator API at (\S+), with the header Authorization: Bearer (\S+)", line)
            if found:
                self.admin_url, self.token = found.groups()
                return
        raise RuntimeError("swapctl did not print the address of its admin port")

    def admin(self, method, path, body=None):
        return call(method, self.admin_url + path, {"Authorization": f"Bearer {self.token}"}, body)

    def close(self):
        self.process.terminate()
        self.process.communicate(timeout=10)


class ShopTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sandbox = Sandbox()
        cls.partner = cls.sandbox.partner

    @classmethod
    def tearDownClass(cls):
        cls.sandbox.close()

    def setUp(self):
        self.sandbox.admin("POST", "/reset")

    def advance(self, minutes):
        self.sandbox.admin("POST", "/clock/advance", {"milliseconds": minutes * 60_000})

    def test_a_paid_order_is_paid_out_in_full(self):
        order = self.partner.create(0.1)
        self.assertEqual(order["status"], NEW)
        self.sandbox.admin("POST", f"/orders/{order['orderNumber']}/deposit")
        self.advance(5)
        paid = self.partner.transaction(order["orderNumber"])
        self.assertEqual(paid["status"], SUCCESS)
        self.assertEqual(paid["receiveTransaction"]["address"], PAYOUT_ADDRESS)
        self.assertEqual(paid["receiveTransaction"]["amount"], order["pairs"]["receive"]["coin"]["value"])

    def test_an_unpaid_order_expires(self):
        order = self.partner.create(0.1)
        self.advance(31)
        self.assertEqual(self.partner.transaction(order["orderNumber"])["status"], OVERDUE)

    def test_a_frozen_order_stays_frozen(self):
        number = self.partner.create(0.1)["orderNumber"]
        self.sandbox.admin("POST", f"/orders/{number}/deposit", {"amount": "0.1"})
        self.sandbox.admin("POST", f"/orders/{number}/move", {"verb": "freeze"})
        self.advance(60)
        self.assertEqual(self.partner.transaction(number)["status"], FROZEN)

    def test_a_lost_response_has_created_an_order(self):
        self.sandbox.admin("POST", "/faults", {"endpoint": "create-transaction", "drop": "after", "times": 1})
        with self.assertRaises(LostAnswer):
            self.partner.create(0.1)
        self.assertEqual(len(self.sandbox.admin("GET", "/orders")), 1)

    def test_a_wrong_secret_is_refused(self):
        stranger = Partner(self.sandbox.base_url, self.partner.public_key, "wrong")
        with self.assertRaises(Refused) as refused:
            stranger.create(0.1)
        self.assertEqual((refused.exception.status, refused.exception.message), (403, "Invalid signature."))

    def test_the_request_log_has_what_the_shop_sent(self):
        self.partner.create(0.1)
        [sent] = self.sandbox.admin("GET", "/requests?endpoint=create-transaction")
        self.assertEqual((sent["method"], sent["status"]), ("POST", 201))


if __name__ == "__main__":
    unittest.main()
