// Certificates in words for people: the panel, the command line and the PDF say the same.
import type { CertificateDocument, CertificateKind } from './shapes/certificate.ts';
import { reclaimSteps, type EraseMethod, type ReclaimStep } from './states/servers.ts';

/** As the server signs it, or as a client got it. */
type Document = Omit<CertificateDocument, 'disks' | 'signedoff'> & {
  readonly [List in 'disks' | 'signedoff']: readonly CertificateDocument[List][number][];
};

export const certificateTitles: Readonly<Record<CertificateKind, string>> = {
  handover: 'Handover certificate',
  erasure: 'Erasure certificate',
};

const eraseMethodLabels: Readonly<Record<EraseMethod, string>> = {
  'nvme-format': 'NVMe secure erase',
  'ata-secure-erase': 'ATA secure erase',
  discard: 'All blocks discarded',
  overwrite: 'Overwritten with zeros',
};

/** Says in a sentence or two what happened to the disks, to the customer who gets the server or who had it. */
export function erasureText({ erasure, erased }: Document, kind: CertificateKind): string {
  const when = kind === 'handover' ? 'before you got it' : 'after your service ended';
  switch (erasure) {
    case 'erased':
      return `Every disk of this server was erased ${when}, and samples were read back to check that nothing is left. Completed at ${utcText(erased)}.`;
    case 'signedoff':
      return 'The erasure of this server’s disks was not verified automatically. The provider’s staff vouch for it; the reason is below.';
    case 'waived':
      return 'The provider does not erase the disks of this server.';
    case 'none':
      return 'No customer had this server before you, so there was nothing to erase.';
  }
}

export interface DiskText {
  readonly serial: string;
  readonly size: string;
  readonly method: string;
  readonly duration: string;
}
export function diskTexts({ disks }: Document): DiskText[] {
  return disks.map(({ serial, bytes, method, seconds }) => ({
    serial,
    size: sizeText(Number(bytes)),
    method: eraseMethodLabels[method],
    duration: durationText(Number(seconds)),
  }));
}

/** Returns everything but the disks and sign-offs, as names and values. */
export function certificateFacts(document: Document): [string, string][] {
  const { certificate, server, serial, issued, previouscustomer, bmcusersremoved, bmcusersleft, firmware, ports } =
    document;
  const unlessSignedOff = (step: ReclaimStep, text: string): string =>
    document.signedoff.some((entry) => entry.step === step) ? 'Signed off by staff' : text;
  const versions = Object.entries(firmware).map(([component, version]) => `${component} ${version}`);
  const before: [string, string][] = [
    ['BMC users', unlessSignedOff('users', `${bmcusersremoved} removed; ${bmcusersleft} of the provider remain`)],
    ['Switch ports', unlessSignedOff('isolate', `${ports} disabled between customers`)],
    ['Firmware', unlessSignedOff('inventory', versions.join(', ') || 'Not reported')],
  ];
  return [
    ['Server', server],
    ...(serial === '' ? [] : [['Serial number', serial] as [string, string]]),
    ['Certificate', certificate],
    ['Issued', utcText(issued)],
    ...(previouscustomer ? before : []),
  ];
}

/** Returns each sign-off as what was signed off, and by whom and why. */
export function signOffTexts({ signedoff }: Document): { readonly step: string; readonly text: string }[] {
  return signedoff.map(({ step, by, at, reason }) => ({
    step: reclaimSteps[step],
    text: `${by} at ${utcText(at)}: ${reason}`,
  }));
}

function utcText(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

function sizeText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(bytes || 1) / 3)));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`;
}

function durationText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 2) return `${seconds} s`;
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
