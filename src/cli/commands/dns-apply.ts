// hostyard dns apply: changes of several zones, from a file. They are shown first, and applied together or not at all.
import type { ChangeSetApplyInput, ZoneDifference } from '#sdk/v2.ts';
import { apiHandler, withYes, type YesOption } from '../command.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { differenceText } from '../output/difference.ts';
import { confirm } from '../prompt.ts';
import { readInput } from '../read-input.ts';
import type { Shell } from '../shell.ts';

interface ApplyOptions extends YesOption {
  readonly dryRun?: boolean;
}

export const applyChanges = apiHandler<{ readonly file: string }, ApplyOptions>({
  options: (command) => withYes(command).option('--dry-run', 'Only show the changes'),
  async run({ client, print, shell }, { file }, options) {
    const changes = await readChanges(shell, file);
    const preview = await client.changeSetApply({ ...changes, dry_run: true });
    if (options.dryRun === true) return print.value(preview, () => changesText(preview));
    shell.err.write(changesText(preview));
    await confirm(shell, 'Apply these changes?', options);
    // The serials make the call fail if one of the zones has changed since the preview.
    const serials = preview
      .filter(({ domain_id }) => domain_id !== '')
      .map(({ zone, serial }) => ({ zone, serial: Number(serial) }));
    const applied = await client.changeSetApply({ serials, ...changes });
    await print.value(applied, () => changesText(applied));
  },
});

async function readChanges(shell: Shell, file: string): Promise<ChangeSetApplyInput> {
  const text = await readInput(shell, file);
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined) throw new CommandError(`${file}: ${problem.message}`, exitCodes.usage);
  const content: unknown = document.toJS();
  if (typeof content !== 'object' || content === null)
    throw new CommandError(`${file}: expected changes or addresses`, exitCodes.usage);
  return content;
}

function changesText(differences: readonly (ZoneDifference & { readonly zone: string })[]): string {
  return differences.map((difference) => `${difference.zone}\n${differenceText(difference)}`).join('\n');
}
