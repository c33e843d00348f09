// Files that scripts/panel.ts builds at install time and compresses. They are public, and the largest has four
// megabytes, so each is read once and sent in pieces: many clients cost neither memory nor long turns of the event loop.
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendInPieces } from '../files/pieces.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const encodings = [
  ['br', /\bbr\b/, '.br'],
  ['gzip', /\bgzip\b/, '.gz'],
] as const;

export interface BuiltFiles {
  /** True if the file exists and is for browsers, unlike its compressed copies. */
  has(file: string): boolean;
  send(request: FastifyRequest, reply: FastifyReply, file: string): Promise<Buffer | Readable>;
}

/** Lists the folder once, so that no part of a request becomes a path. A folder that was never built has no files. */
export function openBuiltFiles(folder: string): BuiltFiles {
  const files = new Set(existsSync(folder) ? listFiles(folder) : []);
  /** From the first request on, so that all who ask at the same time share one. */
  const contents = new Map<string, Promise<Buffer>>();
  const read = (file: string): Promise<Buffer> => {
    const content = contents.get(file) ?? readFile(join(folder, file));
    contents.set(file, content);
    // The next request tries again.
    content.catch(() => contents.delete(file));
    return content;
  };
  return {
    has: (file) => files.has(file) && extname(file) in contentTypes,
    send: async (request, reply, file) => {
      const accepted = request.headers['accept-encoding'] ?? '';
      const [encoding, , ending] =
        encodings.find(([, pattern, suffix]) => pattern.test(accepted) && files.has(file + suffix)) ?? [];
      reply.header('content-type', contentTypes[extname(file)]).header('vary', 'accept-encoding');
      if (encoding !== undefined) reply.header('content-encoding', encoding);
      const content = await read(file + (ending ?? ''));
      return sendInPieces(reply, [content], content.length);
    },
  };
}

/** In a quarter of the time that Node's recursive listing takes. */
function listFiles(folder: string, path = ''): string[] {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? listFiles(folder, `${path}${entry.name}/`) : `${path}${entry.name}`,
  );
}
