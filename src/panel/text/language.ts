// Chooses the language: that of the signed-in person, which this browser remembers for the sign-in page and for the
// next visit, or else the first of the browser's languages that the panel has. Staff have
// only the remembered one.
import { setCatalogue, textLanguage, type Catalogue } from './text.ts';

/** Each in its own name. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const catalogues: Record<Exclude<Language, 'en'>, () => Promise<{ readonly texts: Catalogue }>> = {
  de: () => import('./de.ts'),
};
const storageItem = 'hostyard.language';

export function isLanguage(name: string | null): name is Language {
  return name !== null && Object.hasOwn(languages, name);
}

/** Loads the texts. If that fails, the panel is in English. */
export async function loadLanguage(): Promise<void> {
  const language = chosenLanguage();
  if (language !== 'en')
    await catalogues[language]().then(
      ({ texts }) => setCatalogue(language, texts),
      () => {},
    );
  document.documentElement.lang = textLanguage();
}

/** Remembers the language, or forgets it if there is none, and reloads the page if it has another. */
export function changeLanguage(language: Language | undefined): void {
  if (language === undefined) localStorage.removeItem(storageItem);
  else localStorage.setItem(storageItem, language);
  if (chosenLanguage() !== textLanguage()) location.reload();
}

function chosenLanguage(): Language {
  const remembered = localStorage.getItem(storageItem);
  const preferred = [remembered, ...navigator.languages.map((name) => name.split('-')[0]!)];
  return preferred.find((name) => isLanguage(name)) ?? 'en';
}

/** Returns the languages to switch to, each with its own name. */
export function otherLanguages(): readonly (readonly [Language, string])[] {
  return (Object.entries(languages) as [Language, string][]).filter(([name]) => name !== textLanguage());
}
