// Resources of a fixture: collected in a stack while it opens, then disposed of together with it.
//
//   await using owned = new AsyncDisposableStack();
//   const store = await openOwnedStore(owned, 'example');
//   return withResources(owned, { store });

/** Hands the resources over to the fixture, whose disposal then disposes of them, the last one first. */
export function withResources<Fixture extends object>(owned: Owned, fixture: Fixture): Fixture & AsyncDisposable;
/** For a function that declares what it returns. */
export function withResources<Fixture extends AsyncDisposable>(
  owned: Owned,
  fixture: Omit<Fixture, typeof Symbol.asyncDispose>,
): Fixture;
export function withResources(owned: Owned, fixture: object): AsyncDisposable {
  const resources = owned.move();
  return Object.assign(fixture, { [Symbol.asyncDispose]: () => resources.disposeAsync() });
}

type Owned = AsyncDisposableStack;
