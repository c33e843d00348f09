// hostyard certificate: signed records of what was done to a server between two customers.
import { readFile } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import {
  certificateFacts,
  certificateTitles,
  diskTexts,
  erasureText,
  signOffTexts,
} from '#contract/certificate-text.ts';
import { certificateKinds, type CertificateKind } from '#contract/shapes/certificate.ts';
import { verifyCertificate, type Certificate, type CertificateDocument, type CertificateKey } from '#sdk/v2.ts';
import { apiCommand, localCommand } from '../command.ts';
import { saveDownload, withFile, type FileOption } from '../download.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { resolveServiceId } from '../lookup.ts';
import type { Printer } from '../output/printer.ts';
import { fieldsText, tableText } from '../output/table.ts';
import { stripControls } from '../output/text.ts';

interface KindOption {
  readonly kind: CertificateKind;
}

function withKind(command: Command): Command {
  return command.addOption(
    new Option('--kind <kind>', 'When the service got its server, or after it ended')
      .choices(certificateKinds)
      .default('handover'),
  );
}

export const commands = [
  apiCommand({
    usage: 'get <service>',
    summary: 'Show the certificate of a service',
    options: (command) => withKind(command).option('--signed', 'Print the signed certificate, to save and verify'),
    async run({ client, print }, args, { kind, signed }: KindOption & { readonly signed?: boolean }) {
      const service = await resolveServiceId(client, args.service);
      const certificate = (await client.certificateList({ service })).find((candidate) => candidate.kind === kind);
      if (certificate === undefined)
        throw new CommandError(`Service ${service} has no certificate of kind ${kind}.`, exitCodes.notFound);
      if (signed === true) await print.text(certificate.signed);
      else await print.value(certificate, () => certificateText(certificate, print));
    },
  }),
  apiCommand({
    usage: 'pdf <service>',
    summary: 'Download a certificate as PDF',
    options: (command) => withFile(withKind(command)),
    async run(session, args, { kind, ...options }: KindOption & FileOption) {
      const service = await resolveServiceId(session.client, args.service);
      await saveDownload(session, await session.client.certificatePdf({ service, kind }), options);
    },
  }),
  apiCommand({
    usage: 'key',
    summary: 'Print the key that verifies certificates, as JSON',
    async run({ client, print }) {
      const key = await client.certificateKeyGet();
      await print.value(key, () => `${JSON.stringify(key, undefined, 2)}\n`);
    },
  }),
  localCommand({
    usage: 'verify <file>',
    summary: 'Verify a signed certificate, without a connection',
    options: (command) => command.requiredOption('--key <file>', 'The key, as certificate key prints it'),
    async run({ print }, args, options: { readonly key: string }) {
      const key = JSON.parse(await readFile(options.key, 'utf8')) as CertificateKey;
      const signed = (await readFile(args.file, 'utf8')).trim();
      const document = await verifyCertificate(signed, key).catch((error: Error) => {
        throw new CommandError(`Not valid: ${error.message}`);
      });
      await print.value(document, () => `Valid: ${key.kid} signed this.\n\n${documentText(document, print)}`);
    },
  }),
];

function certificateText({ kind, document }: Certificate, print: Printer): string {
  return [`${certificateTitles[kind]}\n${erasureText(document, kind)}\n`, documentText(document, print)].join('\n');
}

function documentText(document: CertificateDocument, print: Printer): string {
  const signOffs = signOffTexts(document).map(({ step, text }) => `Signed off: ${step}\n  ${stripControls(text)}\n`);
  return [
    fieldsText([...certificateFacts(document), ['Disks', document.erasure]], print.palette),
    ...(document.disks.length === 0
      ? []
      : [tableText(diskTexts(document), ['serial', 'size', 'method', 'duration'], print)]),
    ...signOffs,
  ].join('\n');
}
