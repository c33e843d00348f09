// The PDF of a service's certificate, rendered on request.
import type { CertificateKind } from '#contract/shapes/certificate.ts';
import type { WholeFile } from '#contract/shapes/file.ts';
import { requireFound } from '#lib/api-error.ts';
import type { Service } from '#store/devices/services.ts';
import type { Context } from '../app.ts';
import { renderInThread } from '../billing/documents/render-in-thread.ts';
import { getSeller } from '../billing/invoice-parties.ts';
import { certificateList } from './certificates.ts';

export async function certificateFile(
  context: Context,
  service: Pick<Service, 'account_id' | 'id'>,
  kind: CertificateKind = 'handover',
): Promise<WholeFile> {
  const certificates = await certificateList(context, service);
  const certificate = requireFound(certificates.find((candidate) => candidate.kind === kind));
  const { bytes, missing } = await renderInThread(service.account_id, {
    kind: 'certificate',
    certificate,
    seller: await getSeller(context.queries),
  });
  const details = { certificate: certificate.document.certificate, letters: missing.join(' ') };
  if (missing.length > 0) context.app.log.warn(details, 'no installed font has some characters of a certificate');
  return { name: `${kind}-${service.id}.pdf`, bytes };
}
