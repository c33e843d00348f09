// Consoles that people have open through this process, so that they can be ended, for example when a service is suspended.
export interface OpenViews<Subject> {
  /** Registers a view; `end` is called when the subject's views are ended. Returns the function that unregisters it. */
  enter(subject: Subject, end: (reason: string) => void): () => void;
  endViews(subject: Subject, reason: string): void;
  count(subject: Subject): number;
}

export function openViews<Subject>(): OpenViews<Subject> {
  const views = new Map<Subject, Set<(reason: string) => void>>();
  return {
    enter(subject, end) {
      const subjectViews = views.get(subject) ?? new Set();
      views.set(subject, subjectViews.add(end));
      return () => {
        subjectViews.delete(end);
        if (subjectViews.size === 0 && views.get(subject) === subjectViews) views.delete(subject);
      };
    },
    endViews(subject, reason) {
      for (const end of views.get(subject) ?? []) end(reason);
    },
    count: (subject) => views.get(subject)?.size ?? 0,
  };
}
