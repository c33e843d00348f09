// hostyard operator-add: the first operator of an installation, who then makes the others through the API.
import { Option } from 'commander';
import type { Define } from '#cli/table.ts';
import { roleNames, type OperatorRole } from '#contract/roles.ts';

export const operatorAdd: Define = (command) =>
  command
    .addOption(new Option('--role <role>', 'what he may do').choices(roleNames).makeOptionMandatory())
    .action(async (name: string, { role }: { role: OperatorRole }) => {
      const [{ operatorMake }, { say, withYard }, { OperatorName }, { Check }] = await Promise.all([
        import('#app/operator/operators.ts'),
        import('../command-line.ts'),
        import('#contract/parameters.ts'),
        import('typebox/schema'),
      ]);
      if (!Check(OperatorName, name)) throw new Error(`NAME ${OperatorName['x-reason' as keyof typeof OperatorName]}`);
      await withYard(async (yard) => {
        const { password } = await yard.store.transaction((queries) => operatorMake(yard, queries, name, role));
        say(`${name.toLowerCase()} can sign in with this password, which is shown this once: ${password}`);
      });
    });
