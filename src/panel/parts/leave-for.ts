// Opens a page of somebody else, such as a payment page, in place of the panel.

/** Pending until the page is left, so that nothing can be pressed twice, and done if the person comes back. */
export function leaveFor(url: string): Promise<void> {
  location.assign(url);
  return new Promise((resolve) => addEventListener('pageshow', () => resolve(), { once: true }));
}
