// The paths of an endpoint. A path parameter that is optional, or that has an alias, can be omitted from the path,
// which gives a shorter path as well.
import { Type } from 'typebox';
import { type Endpoint, pathNames } from './endpoint.ts';

export interface PathForm {
  readonly path: string;
  /** Returns the names of the parameters in the path. */
  readonly names: readonly string[];
}

/** The shorter path first: it accepts every parameter by its own name. */
export function pathForms(declaration: Endpoint): PathForm[] {
  const names = pathNames(declaration.path);
  const whole: PathForm = { path: declaration.path, names };
  const last = names.at(-1);
  if (last === undefined || !declaration.path.endsWith(`/{${last}}`)) return [whole];
  const schema = declaration.params[last];
  if (schema !== undefined && !Type.IsOptional(schema)) return [whole];
  return [{ path: declaration.path.slice(0, -`/{${last}}`.length), names: names.slice(0, -1) }, whole];
}
