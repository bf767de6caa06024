// The view of a picture: its zoom and its corner. Pure; everything is in pixels of the picture.
//
// A view `{k, x, y}` shows the part of the picture that is 1/k as wide and high as the whole, from the corner (x, y). A
// point of the frame, which is as large as the picture, shows the picture's point (x + fx / k, y + fy / k).

export const WHOLE = { k: 1, x: 0, y: 0 };
export const NEAREST = 8;

const between = (value, least, most) => Math.min(Math.max(value, least), most);

/** The view, zoomed no further than allowed and without an empty edge. `size` is [width, height] of the picture. */
export function within({ k, x, y }, [width, height]) {
  const near = between(k, 1, NEAREST);
  return { k: near, x: between(x, 0, width - width / near), y: between(y, 0, height - height / near) };
}

/** The picture's point at a point of the frame. */
export const seenAt = (view, [fx, fy]) => [view.x + fx / view.k, view.y + fy / view.k];

/** The view zoomed by `factor`; the picture's point under the frame's point stays there. */
export function zoomed(view, factor, [fx, fy], size) {
  const k = between(view.k * factor, 1, NEAREST);
  const [px, py] = seenAt(view, [fx, fy]);
  return within({ k, x: px - fx / k, y: py - fy / k }, size);
}

/** The view moved by a finger's way in the frame. */
export const panned = (view, [dx, dy], size) => within({ ...view, x: view.x - dx / view.k, y: view.y - dy / view.k }, size);

/** The view after two fingers moved from `from` to `to`, each two points of the frame. */
export function pinched(view, from, to, size) {
  const apart = ([a, b]) => Math.hypot(a[0] - b[0], a[1] - b[1]);
  const middle = ([a, b]) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const k = between(view.k * (apart(to) / Math.max(apart(from), 1)), 1, NEAREST);
  const [px, py] = seenAt(view, middle(from));
  const [fx, fy] = middle(to);
  return within({ k, x: px - fx / k, y: py - fy / k }, size);
}

/** The view at zoom `k` with the picture's point in the middle. */
export const centred = ([px, py], k, size) => within({ k, x: px - size[0] / k / 2, y: py - size[1] / k / 2 }, size);

/** Whether the picture's box [x, y, width, height] is in the view, with some room round it. */
export function shows(view, [x, y, w, h], [width, height]) {
  const room = (0.04 * width) / view.k;
  return (
    (x >= view.x + room || view.x === 0) &&
    (y >= view.y + room || view.y === 0) &&
    (x + w <= view.x + width / view.k - room || view.x + width / view.k >= width) &&
    (y + h <= view.y + height / view.k - room || view.y + height / view.k >= height)
  );
}

/** The box with corners at two points, in whole pixels, within the picture and not smaller than `least`. */
export function boxOf([ax, ay], [bx, by], [width, height], least) {
  const side = (a, b, most) => {
    const from = between(Math.round(Math.min(a, b)), 0, most - least);
    return [from, between(Math.round(Math.max(a, b)) - from, least, most - from)];
  };
  const [x, w] = side(ax, bx, width);
  const [y, h] = side(ay, by, height);
  return [x, y, w, h];
}

/** The box moved by a distance, within the picture. */
export const moved = ([x, y, w, h], [dx, dy], [width, height]) => [
  Math.round(between(x + dx, 0, width - w)),
  Math.round(between(y + dy, 0, height - h)),
  w,
  h,
];

/** The box with one corner moved; the opposite corner stays. `corner` is "nw", "ne", "sw" or "se". */
export function resized([x, y, w, h], corner, [dx, dy], size, least) {
  const north = corner[0] === "n";
  const west = corner[1] === "w";
  const still = [west ? x + w : x, north ? y + h : y];
  const loose = [
    west ? Math.min(x + dx, still[0] - least) : Math.max(x + w + dx, still[0] + least),
    north ? Math.min(y + dy, still[1] - least) : Math.max(y + h + dy, still[1] + least),
  ];
  return boxOf(still, loose, size, least);
}
