// Checks that a hypervisor can run the templates that it would be chosen for.
import type { Hypervisor } from '#drivers/hypervisor/driver.ts';
import { templateList } from '#store/devices/templates.ts';
import type { Queries } from '#store/store.ts';
import { platformOf, platformProblems } from '#workflows/machine/template-platform.ts';
import { warning, type Problem } from './check.ts';

/** Templates that need the same are one problem. Machines are still placed, on other hypervisors. */
export async function findTemplateProblems(
  queries: Queries,
  node: string,
  hypervisor: Hypervisor,
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  const templates = await templateList(queries, 'Xen');
  const byPlatform = Map.groupBy(templates, (template) => JSON.stringify(platformOf(template)));
  const problems: Problem[] = [];
  for (const alike of byPlatform.values()) {
    const names = alike.map(({ value }) => value).join(', ');
    for (const sentence of await platformProblems(hypervisor, alike[0], undefined, signal))
      problems.push(
        warning(
          `Hypervisor ${node} cannot run the templates ${names}: ${sentence}`,
          'Until then, machines with these templates are placed only on other hypervisors.',
        ),
      );
  }
  return problems;
}
