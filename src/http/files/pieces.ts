// Sends large content in pieces, one in each turn of the event loop, so that other requests are served in between.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { pauseWork } from '#lib/slices.ts';

const bytesPerPiece = 65_536;

/** Returns what a handler has to return to send the content. */
export function sendInPieces(reply: FastifyReply, content: Buffer): Buffer | Readable {
  if (content.length <= bytesPerPiece) return content;
  reply.header('content-length', content.length);
  return Readable.from(piecesOf(content), { objectMode: false });
}

async function* piecesOf(content: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < content.length; start += bytesPerPiece) {
    yield content.subarray(start, start + bytesPerPiece);
    await pauseWork('outside a transaction');
  }
}
