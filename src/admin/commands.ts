// The commands that run beside the server, on the same settings and the same database.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addressHolder } from '#app/network/address-holder.ts';
import { AdminError, listKeys, makeKey, revokeKey } from '#app/account/key-admin.ts';
import { verifyAudit } from '#app/account/audit.ts';
import { machineReport } from '#app/machines/report.ts';
import { passwordHash } from '#app/account/passwords.ts';
import { applySite } from '#app/site/apply.ts';
import { readSite } from '#app/site/file.ts';
import { readConfig } from '#kernel/config.ts';
import { makeKeyText } from '#kernel/key-text.ts';
import { say, wholeNumber, withYard } from './command-line.ts';
import { billingCommands } from './billing-commands.ts';
import { bootCommands } from './boot-commands.ts';
import { licenceCommands } from './licence-commands.ts';
import { serve } from './serve.ts';

const program = new Command('hostyard').description('The control plane of a hosting provider').version('0.1.0');

program
  .command('serve')
  .description('run the server (as npm start does)')
  .action(() => serve(readConfig(process.env)));

program
  .command('apply')
  .description('make the database match a site file')
  .argument('<file>', 'the site file')
  .option('--check', 'only check the file')
  .action(async (file: string, options: { check?: boolean }) => {
    const site = readSite(readFileSync(file, 'utf8'), file);
    if (options.check !== true) await withYard((yard) => applySite(yard, site));
    say(options.check === true ? 'The file is good.' : 'Applied.');
  });

program
  .command('address')
  .description('who holds an address, or held it at a moment')
  .argument('<ip>', 'the address')
  .option('--at <moment>', 'such as 2026-11-15T12:00:00Z; now unless told')
  .action((ip: string, options: { at?: string }) =>
    withYard(async (yard) => say(await addressHolder(yard, ip, options.at))),
  );

program
  .command('machines')
  .description('nodes and virtual machines: what was last seen of them, and why one is not there yet')
  .action(() => withYard(async (yard) => (await machineReport(yard)).forEach(say)));

const key = program.command('key').description('API keys of customers');
key
  .command('make')
  .description('make a key; it is shown this once')
  .requiredOption('--account <id>', 'whose key it is', wholeNumber)
  .option('--name <name>', 'what it is for', 'made on the command line')
  .option('--scopes <list>', 'with commas between', 'all')
  .action((options: { account: number; name: string; scopes: string }) =>
    withYard(async (yard) => say(await makeKey(yard, options.account, options.name, options.scopes.split(',')))),
  );
key
  .command('list')
  .description('the keys of an account, without their secrets')
  .requiredOption('--account <id>', 'whose keys', wholeNumber)
  .action((options: { account: number }) =>
    withYard(async (yard) => (await listKeys(yard, options.account)).forEach(say)),
  );
key
  .command('revoke')
  .description('end a key at once')
  .argument('<id>', 'number of the key', wholeNumber)
  .requiredOption('--account <id>', 'whose key it is', wholeNumber)
  .action((id: number, options: { account: number }) => withYard((yard) => revokeKey(yard, options.account, id)));
key
  .command('draw')
  .description('make a key for a site file: prints the key, and the id and hash to write into the file')
  .action(() => {
    const { text, printableId, secretHash } = makeKeyText();
    say(`key   ${text}\nid:   ${printableId}\nhash: ${secretHash.toString('hex')}`);
  });

program
  .command('detect')
  .description('hand over what FastNetMon tells its notify script')
  .helpOption(false)
  .allowUnknownOption()
  .argument('[args...]', 'address, direction, packets per second, action')
  .action(async (args: string[]) => (await import('./detect.ts')).detect(args));

program
  .command('password')
  .description('read a password from standard input and print its hash for a site file')
  .action(async () => say(await passwordHash(readFileSync(0, 'utf8').replace(/\r?\n$/, ''))));

program
  .command('audit')
  .description('check the hash chain of every account’s audit log')
  .action(() =>
    withYard(async (yard) => {
      const broken = await verifyAudit(yard);
      if (broken.length > 0) throw new AdminError(broken.join('\n'));
      say('Every audit log is whole.');
    }),
  );

licenceCommands(program);
billingCommands(program);
bootCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
