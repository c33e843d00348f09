// The paths at which an endpoint answers. A path parameter that need not stand in the path, because it is optional or has
// another name that can be sent instead, gives the shorter path as well.
import { Type } from 'typebox';
import { type Endpoint, pathNames } from './endpoint.ts';

export interface PathForm {
  readonly path: string;
  /** Names of parameters in the path, as they stand there. */
  readonly names: readonly string[];
}

/** The shorter form first: it is the one that can take every parameter by its own name. */
export function pathForms(declaration: Endpoint): PathForm[] {
  const names = pathNames(declaration.path);
  const whole: PathForm = { path: declaration.path, names };
  const last = names.at(-1);
  if (last === undefined || !declaration.path.endsWith(`/{${last}}`)) return [whole];
  const schema = declaration.params[last];
  if (schema !== undefined && !Type.IsOptional(schema)) return [whole];
  return [{ path: declaration.path.slice(0, -`/{${last}}`.length), names: names.slice(0, -1) }, whole];
}
