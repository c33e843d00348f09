// The limit of the runtime: a `node:http` server that returns the same text to every request.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const body = process.argv[2] ?? '';
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) };

const server = createServer((_, response) => response.writeHead(200, headers).end(body));
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
