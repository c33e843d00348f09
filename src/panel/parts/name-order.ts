// Sorts people as the reader's language does: by last name, then by first name, and in a stable order beyond that.
import { locale } from '../text/text.ts';

export interface Person {
  readonly id: string;
  readonly firstname: string;
  readonly lastname: string;
}

export function sortByName<T extends Person>(people: readonly T[], language: string = locale()): T[] {
  const { compare } = new Intl.Collator(language);
  return people.toSorted(
    (left, right) =>
      compare(left.lastname, right.lastname) ||
      compare(left.firstname, right.firstname) ||
      Number(left.id) - Number(right.id),
  );
}
