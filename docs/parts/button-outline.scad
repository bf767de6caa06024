// What the box of the buttons and its lid have in common. The origin is the middle.
include <numbers.scad>
$fn = 32;

size = [160, 80];
corner = 4;
screw = 6.5; // from both edges
module outline() offset(r = corner) square(size - [2 * corner, 2 * corner], center = true);
module at_corners() for (x = [-1, 1], y = [-1, 1])
    translate([x * (size[0] / 2 - screw), y * (size[1] / 2 - screw)]) children();
