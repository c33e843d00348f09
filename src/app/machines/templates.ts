// The operating systems that a virtual machine can be given.
import { Fault } from '#kernel/fault.ts';
import { templateList, type MachineKind, type Template } from '#store/devices/templates.ts';
import type { Context } from '../yard.ts';

export async function templatesListed(context: Context, kind: MachineKind): Promise<{ name: string; value: string }[]> {
  return (await templateList(context.queries, kind)).map(({ name, value }) => ({ name, value }));
}

export async function templateChosen(context: Context, kind: MachineKind, value: string): Promise<Template> {
  const all = await templateList(context.queries, kind);
  const chosen = all.find((each) => each.value === value);
  if (chosen !== undefined) return chosen;
  const valid = all.map((each) => each.value).join(', ');
  throw new Fault('not_in_catalogue', {
    message:
      all.length === 0 ? `There is no template for ${kind} machines.` : `There is no such template; there is ${valid}.`,
  });
}
