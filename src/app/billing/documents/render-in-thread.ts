// Renders PDFs in a worker thread, because fonts take a tenth of a second and a long invoice takes several. The thread
// renders one document at a time and ends when it has had nothing to do for a while, to give its memory back.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ApiError } from '#lib/api-error.ts';
import { BoundedMap } from '#lib/bounded-map.ts';
import { sha256 } from '#lib/secrets.ts';
import type { PrintedCertificate } from '../../servers/certificate-pdf.ts';
import type { InvoiceDocument, Seller } from './invoice-document.ts';
import type { StatementDocument } from '../statements/statement-pdf.ts';
import type { RenderedPdf } from './pdf-page.ts';

export type PdfJob =
  | { readonly kind: 'invoice'; readonly document: InvoiceDocument; readonly embeddedXml: string | undefined }
  | { readonly kind: 'statement'; readonly statement: StatementDocument }
  | { readonly kind: 'certificate'; readonly certificate: PrintedCertificate; readonly seller: Seller };
export type PdfResult = RenderedPdf | { readonly error: unknown };

const maxWaiting = 50;
const maxRenderMs = 60_000;
const idleMs = 30_000;
/** A few megabytes at most. */
const kept = { files: 32, bytes: 200_000 };
const resourceLimits = { maxOldGenerationSizeMb: 256 };

let thread: Worker | undefined;
let ending: NodeJS.Timeout | undefined;
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();
/** By the digest of their content: people open the same document again, and attackers open it all the time. */
const recent = new BoundedMap<string, RenderedPdf>(kept.files);

export async function renderInThread(job: PdfJob): Promise<RenderedPdf> {
  const digest = sha256(JSON.stringify(job)).toString('base64');
  const known = recent.get(digest);
  if (known !== undefined) return known;
  const rendered = await renderInTurn(job);
  if (rendered.bytes.length <= kept.bytes) recent.set(digest, rendered);
  return rendered;
}

async function renderInTurn(job: PdfJob): Promise<RenderedPdf> {
  if (waiting >= maxWaiting) throw new ApiError('overloaded', { internal: 'too many documents are waiting' });
  waiting++;
  const rendered = last.then(() => renderNext(job));
  last = rendered.catch(() => {}).finally(() => waiting--);
  return rendered;
}

async function renderNext(job: PdfJob): Promise<RenderedPdf> {
  clearTimeout(ending);
  const worker = (thread ??= startThread());
  try {
    worker.postMessage(job);
    const [result] = (await once(worker, 'message', { signal: AbortSignal.timeout(maxRenderMs) })) as [PdfResult];
    if ('error' in result) throw result.error;
    return result;
  } catch (error) {
    endThread(worker);
    throw error;
  } finally {
    ending = setTimeout(() => endThread(worker), idleMs).unref();
  }
}

function startThread(): Worker {
  const worker = new Worker(new URL('./pdf-thread.ts', import.meta.url), { execArgv: [], resourceLimits });
  worker.unref();
  worker.on('exit', () => endThread(worker));
  return worker;
}

function endThread(worker: Worker): void {
  if (thread === worker) thread = undefined;
  void worker.terminate();
}
