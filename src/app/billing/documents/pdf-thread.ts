// A worker thread that renders documents as PDF and XML, one after the other. The main thread of an install imports it too, to compile it.
import { parentPort } from 'node:worker_threads';
import { renderCertificatePdf } from '../../servers/certificate-pdf.ts';
import { renderStatementPdf } from '../statements/statement-pdf.ts';
import { createCrossIndustryInvoice } from './cross-industry-invoice.ts';
import { renderInvoicePdf } from './invoice-pdf.ts';
import type { DocumentJob, DocumentResult } from './render-in-thread.ts';
import { createUblInvoice } from './ubl-invoice.ts';

async function render(job: DocumentJob): Promise<DocumentResult> {
  try {
    if (job.kind === 'invoice') {
      const xml = job.embedsXml ? createCrossIndustryInvoice(job.document) : undefined;
      return { ...(await renderInvoicePdf(job.document, xml)), xml };
    }
    if (job.kind === 'e-invoice') {
      const { document, format } = job;
      const xml = format === 'cii' ? createCrossIndustryInvoice(document) : createUblInvoice(document, format);
      return { bytes: Buffer.from(xml), missing: [] };
    }
    if (job.kind === 'statement') return await renderStatementPdf(job.statement);
    return await renderCertificatePdf(job.certificate, job.seller);
  } catch (error) {
    return { error };
  }
}

parentPort?.on('message', (job: DocumentJob) => void render(job).then((result) => parentPort!.postMessage(result)));
