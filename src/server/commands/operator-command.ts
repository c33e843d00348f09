// hostyard operator-add: creates the first operator of an installation, who creates the others through the API.
import { Option } from 'commander';
import type { Define } from '#cli/command-tree.ts';
import { roleNames, type OperatorRole } from '#contract/roles.ts';

export const operatorAdd: Define = (command) =>
  command
    .addOption(new Option('--role <role>', 'Role of the operator').choices(roleNames).makeOptionMandatory())
    .action(async (name: string, { role }: { role: OperatorRole }) => {
      const [{ createOperator }, { generatePassword }, { printLine, withApp }, { OperatorName }, { Check }] =
        await Promise.all([
          import('#app/operator/operators.ts'),
          import('#app/account/passwords.ts'),
          import('../command-line.ts'),
          import('#contract/parameters.ts'),
          import('typebox/schema'),
        ]);
      if (!Check(OperatorName, name))
        throw new Error(`The name ${OperatorName['x-reason' as keyof typeof OperatorName]}`);
      await withApp(async (app) => {
        const generatedPassword = await generatePassword();
        const { password } = await app.store.transaction((queries) =>
          createOperator(app, queries, { name, role, generatedPassword }),
        );
        printLine(`${name.toLowerCase()} can sign in with this password, which is not shown again: ${password}`);
      });
    });
