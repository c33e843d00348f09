// A certificate as PDF for people, with the signed certificate embedded. It shows only what was signed.
import {
  certificateFacts,
  certificateTitles,
  diskTexts,
  erasureText,
  signOffTexts,
  type DiskText,
} from '#contract/certificate-text.ts';
import type { CertificateDocument, CertificateKind } from '#contract/shapes/certificate.ts';
import { dayText } from '#lib/time.ts';
import type { Seller } from '../billing/documents/invoice-document.ts';
import {
  drawFooters,
  drawHeading,
  drawRule,
  drawText,
  grey,
  ink,
  left,
  makeRoom,
  measureHeight,
  millimetre,
  missingNotes,
  renderPdf,
  right,
  type Page,
  type RenderedPdf,
} from '../billing/documents/pdf-page.ts';

export interface PrintedCertificate {
  readonly kind: CertificateKind;
  readonly document: CertificateDocument;
  readonly signed: string;
}

const nameColumn = 40 * millimetre;
const diskColumns: readonly { readonly name: string; readonly key: keyof DiskText; readonly x: number }[] = [
  { name: 'Disk (serial number)', key: 'serial', x: left },
  { name: 'Size', key: 'size', x: left + 62 * millimetre },
  { name: 'Method', key: 'method', x: left + 86 * millimetre },
  { name: 'Duration', key: 'duration', x: left + 138 * millimetre },
];

export async function renderCertificatePdf(
  { kind, document, signed }: PrintedCertificate,
  seller: Seller,
): Promise<RenderedPdf> {
  const title = certificateTitles[kind];
  const issued = new Date(document.issued);
  return renderPdf(`${title} ${document.certificate}`, issued, (pdf) => {
    let y = drawHeading(pdf, document.provider, title, dayText(issued.getTime())) + 12 * millimetre;
    y = drawText(pdf, erasureText(document, kind), left, y, { size: 11 }) + 6 * millimetre;
    y = drawPairs(pdf, certificateFacts(document), y);
    y = drawDisks(pdf, diskTexts(document), y);
    const signOffs = signOffTexts(document).map(({ step, text }): [string, string] => [step, text]);
    if (signOffs.length > 0) y = drawPairs(pdf, signOffs, drawTitle(pdf, 'Signed off by staff without a result', y));
    drawVerification(pdf, signed, y);
    drawFooters(pdf, seller, document.server);
    const attachment = { name: signedName, type: 'application/jose', description: 'Signed certificate' };
    const details = { relationship: 'Source', creationDate: issued, modifiedDate: issued };
    pdf.file(Buffer.from(signed), { ...attachment, ...details });
  });
}

const signedName = 'certificate.jws';

function drawTitle(pdf: Page, title: string, y: number): number {
  return drawText(pdf, title, left, makeRoom(pdf, y, 60), { face: 'bold', size: 11 }) + 4;
}

function drawPairs(pdf: Page, pairs: readonly [string, string][], start: number): number {
  let y = start;
  const width = right - left - nameColumn;
  for (const [name, value] of pairs) {
    const height = Math.max(measureHeight(pdf, value, width), measureHeight(pdf, name, nameColumn - 10));
    y = makeRoom(pdf, y, height);
    drawText(pdf, name, left, y, { colour: grey, width: nameColumn - 10 });
    drawText(pdf, value, left + nameColumn, y, { width });
    y += height + 3;
  }
  return y + 6 * millimetre;
}

function drawDisks(pdf: Page, disks: readonly DiskText[], start: number): number {
  if (disks.length === 0) return start;
  let y = drawDiskRow(pdf, makeRoom(pdf, start, 60), ({ name }) => name, { size: 8, colour: grey });
  drawRule(pdf, y, ink, 0.8);
  for (const disk of disks) {
    y = makeRoom(pdf, y + 5, 30);
    y = drawDiskRow(pdf, y, ({ key }) => disk[key]) + 4;
    drawRule(pdf, y);
  }
  return y + 8 * millimetre;
}

function drawDiskRow(
  pdf: Page,
  y: number,
  text: (column: (typeof diskColumns)[number]) => string,
  style: { readonly size?: number; readonly colour?: string } = {},
): number {
  const ends = diskColumns.map((column, index) => {
    const width = (diskColumns[index + 1]?.x ?? right) - column.x - 6;
    return drawText(pdf, text(column), column.x, y, { ...style, width });
  });
  return Math.max(...ends);
}

function drawVerification(pdf: Page, signed: string, start: number): void {
  const { kid } = JSON.parse(Buffer.from(signed.split('.')[0]!, 'base64url').toString()) as { kid: string };
  const texts = [
    `This page is a copy for reading. The certificate itself is embedded in this file as ${signedName}, a JSON Web Signature (Ed25519). You also get it in the panel, or with “hostyard certificate get SERVICE --signed”.`,
    `Get the provider’s public key with “hostyard certificate key > provider.json”, and keep it. Then verify the certificate on any computer, without a connection: “hostyard certificate verify ${signedName} --key provider.json”. You can also use any other program for JSON Web Signatures.`,
    ...missingNotes(pdf),
  ];
  let y = drawTitle(pdf, 'How to verify it', start);
  for (const text of texts) y = drawText(pdf, text, left, makeRoom(pdf, y, 50)) + 5;
  drawPairs(pdf, [['Key thumbprint', kid]], y);
}
