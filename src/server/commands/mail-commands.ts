// hostyard mail on the server itself: test the relays, preview messages, and record those that came back.
import type { Command } from 'commander';
import { directMailKinds, eventMailKinds, type DirectMailKind, type EventMailKind } from '#contract/mail/kinds.ts';
import { recordBounce, type BounceOutcome } from '#app/mail/bounces.ts';
import { mailPreview } from '#app/mail/mails.ts';
import { queueMail } from '#app/mail/sending.ts';
import { CommandError } from '#lib/command-error.ts';
import { readLimited } from '#lib/read-limited.ts';
import { providerAccount } from '#store/account/accounts.ts';
import { printLine, withApp } from '../command-line.ts';

export function mailTest(command: Command): void {
  command.action((address: string) =>
    withApp(async (app) => {
      if ((await app.mailer.settings()) === undefined) throw new CommandError('The site file has no mail section.');
      const problems = (await app.mailer.check()).map(({ relay, problem }) => `${relay}: ${problem ?? 'ok'}`);
      problems.forEach(printLine);
      const mail = { account: providerAccount, contact: null, address, language: '', kind: 'test' } as const;
      const values = { recipient: address };
      const id = await app.store.transaction((queries) => queueMail(app, queries, { ...mail, values }));
      printLine(`Message ${id} is queued; the server sends it. See hostyard operator mail get ${id}.`);
    }),
  );
}

/** For a mail server that passes on each report, by a pipe: see docs/guides/mail.md. */
export function mailBounce(command: Command): void {
  command.action((recipient?: string) =>
    withApp(async (app) => {
      const tooLongError = () => new CommandError('The report is larger than 4 MB.');
      const source = await readLimited(process.stdin, maxReportBytes, tooLongError);
      // A mail server would report our failure to whoever sent the report: what is not ours is ignored.
      printLine(bounceOutcomes[await recordBounce(app, source, recipient)]);
    }),
  );
}

const maxReportBytes = 4 * 1024 * 1024;

const bounceOutcomes: Readonly<Record<BounceOutcome, string>> = {
  recorded: 'Recorded: the message bounced',
  undeliverable: 'Recorded: the address no longer receives messages',
  'already recorded': 'Nothing changed: already recorded',
  'not a failure': 'Ignored: not a report of a failed delivery',
  'not ours': 'Ignored: not sent to the return path of one of our messages',
};

const kinds: readonly string[] = [...eventMailKinds, ...directMailKinds];

export function mailPreviewCommand(command: Command): void {
  command
    .option('--language <code>', 'Language, such as de (default: that of the site file)')
    .option('--html', 'Print the HTML instead of the text')
    .action((kind: string, { language, html }: { language?: string; html?: boolean }) =>
      withApp(async (app) => {
        if (!kinds.includes(kind)) throw new CommandError(`Unknown kind. Use one of ${kinds.join(', ')}.`);
        const preview = await mailPreview(
          { app },
          { kind: kind as EventMailKind | DirectMailKind, ...(language !== undefined && { language }) },
        );
        printLine(html === true ? preview.html : `Subject: ${preview.subject}\n\n${preview.text}`);
      }),
    );
}
