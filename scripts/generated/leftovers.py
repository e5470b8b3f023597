"""A proxy before an engine that leaves a part of every batch over, as DynamoDB does under load.

Usage: leftovers.py ENDPOINT. Prints its own endpoint. A GET tells how many batches came back in part.
"""

import http.client
import http.server
import json
import sys
import threading
import urllib.parse

engine = urllib.parse.urlsplit(sys.argv[1])
connections = threading.local()
lock = threading.Lock()
seen, left_over = set(), 0


def halves(batch):
    """The part of a batch that is processed, and the part that is left over; a lone request only the second time."""
    requests = [(table, one) for table, of in batch.items() for one in (of["Keys"] if isinstance(of, dict) else of)]
    with lock:
        text = json.dumps(requests, sort_keys=True)
        kept = len(requests) // 2 if len(requests) > 1 else int(text in seen)
        seen.add(text)

    def of(part):
        whole = {}
        for table, one in part:
            if isinstance(batch[table], dict):
                whole.setdefault(table, {**batch[table], "Keys": []})["Keys"].append(one)
            else:
                whole.setdefault(table, []).append(one)
        return whole

    return of(requests[:kept]), of(requests[kept:])


class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # An answer goes out in one piece, or every request would wait for the other side's acknowledgement.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self):
        self.answer(200, str(left_over).encode())

    def do_POST(self):
        global left_over
        body = self.rfile.read(int(self.headers["Content-Length"]))
        operation = self.headers.get("X-Amz-Target", "").rpartition(".")[2]
        rest = {}
        if operation in ("BatchGetItem", "BatchWriteItem"):
            request = json.loads(body)
            kept, rest = halves(request["RequestItems"])
            body = json.dumps({**request, "RequestItems": kept}).encode()
            if rest:
                with lock:
                    left_over += 1
            if not kept:
                self.answer(200, self.partial(operation, {}, rest))
                return
        status, text = self.forward(body)
        if rest and status == 200:
            text = self.partial(operation, json.loads(text), rest)
        self.answer(status, text)

    def partial(self, operation, answer, rest):
        if operation == "BatchGetItem":
            answer.setdefault("Responses", {})
        answer["UnprocessedKeys" if operation == "BatchGetItem" else "UnprocessedItems"] = rest
        return json.dumps(answer).encode()

    def forward(self, body):
        connection = getattr(connections, "engine", None)
        if connection is None:
            connection = connections.engine = http.client.HTTPConnection(engine.hostname, engine.port)
        names = ("X-Amz-Target", "Content-Type", "Authorization", "X-Amz-Date")
        connection.request("POST", "/", body, {name: self.headers[name] for name in names if name in self.headers})
        response = connection.getresponse()
        return response.status, response.read()

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/x-amz-json-1.0")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
server.daemon_threads = True
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
