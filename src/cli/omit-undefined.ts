// Drops properties that are undefined, because the inputs of the API have no such values.
export function omitUndefined<Input extends object>(
  input: Input,
): { [Name in keyof Input]?: Exclude<Input[Name], undefined> } {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Input]?: Exclude<Input[Name], undefined> };
}
