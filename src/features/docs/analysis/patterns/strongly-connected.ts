/**
 * The strongly connected components of a graph, by the algorithm of Tarjan: nodes that can reach each other have the same
 * number. Iterative, because a graph can be deeper than the stack.
 */
export function findComponents<Node>(
  nodes: Iterable<Node>,
  nextOf: (node: Node) => Iterable<Node>,
): ReadonlyMap<Node, number> {
  const components = new Map<Node, number>();
  const order = new Map<Node, number>();
  const lowest = new Map<Node, number>();
  const open: Node[] = [];
  let count = 0;

  for (const root of nodes) {
    if (order.has(root)) continue;
    const path: { node: Node; rest: Iterator<Node> }[] = [];
    enter(root, path);
    while (path.length > 0) {
      const { node, rest } = path.at(-1)!;
      const { done, value: next } = rest.next();
      if (!done && !order.has(next)) enter(next, path);
      else if (!done && !components.has(next)) lower(node, order.get(next)!);
      else if (done) leave(path);
    }
  }
  return components;

  function enter(node: Node, path: { node: Node; rest: Iterator<Node> }[]): void {
    lowest.set(node, order.size);
    order.set(node, order.size);
    open.push(node);
    path.push({ node, rest: nextOf(node)[Symbol.iterator]() });
  }

  function lower(node: Node, to: number): void {
    lowest.set(node, Math.min(lowest.get(node)!, to));
  }

  function leave(path: { node: Node }[]): void {
    const { node } = path.pop()!;
    const parent = path.at(-1)?.node;
    if (parent !== undefined) lower(parent, lowest.get(node)!);
    if (lowest.get(node) !== order.get(node)) return;
    count++;
    let member: Node;
    do {
      member = open.pop()!;
      components.set(member, count);
    } while (member !== node);
  }
}
