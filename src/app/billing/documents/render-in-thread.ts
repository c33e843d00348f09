// Renders documents in a worker thread, because fonts take a tenth of a second and a long invoice takes several. The thread
// renders one document at a time, in turns between accounts, and ends when it has had nothing to do for a while, to give
// its memory back.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { InvoiceFormat } from '#contract/shapes/tax.ts';
import { BoundedMap } from '#lib/bounded-map.ts';
import { sha256 } from '#lib/secrets.ts';
import type { AccountId } from '#store/account-id.ts';
import { createAccountTurns } from '../../operations/account-turns.ts';
import type { PrintedCertificate } from '../../servers/certificate-pdf.ts';
import type { InvoiceDocument, Seller } from './invoice-document.ts';
import type { StatementDocument } from '../statements/statement-pdf.ts';
import type { RenderedPdf } from './pdf-page.ts';

export type DocumentJob =
  | { readonly kind: 'invoice'; readonly document: InvoiceDocument; readonly embedsXml: boolean }
  | { readonly kind: 'e-invoice'; readonly document: InvoiceDocument; readonly format: InvoiceFormat }
  | { readonly kind: 'statement'; readonly statement: StatementDocument }
  | { readonly kind: 'certificate'; readonly certificate: PrintedCertificate; readonly seller: Seller };
interface RenderedDocument extends RenderedPdf {
  /** The e-invoice that the PDF embeds. */
  readonly xml?: string | undefined;
}
export type DocumentResult = RenderedDocument | { readonly error: unknown };

const maxWaiting = 50;
const maxRenderMs = 60_000;
const idleMs = 30_000;
/** A few megabytes at most. */
const kept = { files: 32, bytes: 200_000 };
const resourceLimits = { maxOldGenerationSizeMb: 256 };

let thread: Worker | undefined;
let ending: NodeJS.Timeout | undefined;
const turns = createAccountTurns(maxWaiting);
/** By the digest of their content: people open the same document again, and attackers open it all the time. */
const recent = new BoundedMap<string, RenderedDocument>(kept.files);

export async function renderInThread(account: AccountId, job: DocumentJob): Promise<RenderedDocument> {
  const digest = sha256(JSON.stringify(job)).toString('base64');
  const known = recent.get(digest);
  if (known !== undefined) return known;
  const rendered = await turns.run(account, () => renderNext(job));
  if (rendered.bytes.length + (rendered.xml?.length ?? 0) <= kept.bytes) recent.set(digest, rendered);
  return rendered;
}

async function renderNext(job: DocumentJob): Promise<RenderedDocument> {
  clearTimeout(ending);
  const worker = (thread ??= startThread());
  try {
    worker.postMessage(job);
    const [result] = (await once(worker, 'message', { signal: AbortSignal.timeout(maxRenderMs) })) as [DocumentResult];
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
  // Whoever waits for a document gets the error. Without a listener, one that comes later would end the process.
  worker.on('error', () => endThread(worker));
  worker.on('exit', () => endThread(worker));
  return worker;
}

function endThread(worker: Worker): void {
  if (thread === worker) thread = undefined;
  void worker.terminate();
}
