// Rejects a request for a WebSocket, whose connection belongs to us since the HTTP server has handed it over.
import type { Duplex } from 'node:stream';

export function rejectUpgrade(stream: Duplex, status: number, text: string): void {
  // Ended alone, the connection would stay open until the client closes its side, which a hostile one never does.
  stream.once('finish', () => stream.destroy());
  stream.end(`HTTP/1.1 ${status} ${text}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
