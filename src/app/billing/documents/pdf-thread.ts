// A worker thread that renders documents as PDF, one after the other. The main thread of an install imports it too, to compile it.
import { parentPort } from 'node:worker_threads';
import { renderCertificatePdf } from '../../servers/certificate-pdf.ts';
import { renderStatementPdf } from '../statements/statement-pdf.ts';
import { renderInvoicePdf } from './invoice-pdf.ts';
import type { PdfJob, PdfResult } from './render-in-thread.ts';

async function render(job: PdfJob): Promise<PdfResult> {
  try {
    if (job.kind === 'invoice') return await renderInvoicePdf(job.document, job.embeddedXml);
    if (job.kind === 'statement') return await renderStatementPdf(job.statement);
    return await renderCertificatePdf(job.certificate, job.seller);
  } catch (error) {
    return { error };
  }
}

parentPort?.on('message', (job: PdfJob) => void render(job).then((result) => parentPort!.postMessage(result)));
