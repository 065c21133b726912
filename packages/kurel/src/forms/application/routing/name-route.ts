interface RouteName {
  readonly component: string;
  readonly kind: 'ingress' | 'httproute';
  readonly name?: string | undefined;
  readonly scope?: string | undefined;
}

/** Of an Ingress or an HTTPRoute: what the author says, or the component, the kind and the scope. */
export function nameRoute({ component, kind, name, scope }: RouteName): string {
  return name ?? [component, kind, ...(scope === undefined || scope === '' ? [] : [scope])].join('-');
}
