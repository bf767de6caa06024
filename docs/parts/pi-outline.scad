// What the case of the Pi and its lid have in common.
include <numbers.scad>
$fn = 24;

gap = 0.8; // round the board
module inside() translate([-gap, -gap]) square([pi_board[0] + 2 * gap, pi_board[1] + 2 * gap]);
module outline() offset(r = wall) inside();
module at_holes() for (x = [0, pi_holes[0]], y = [0, pi_holes[1]])
    translate([pi_first_hole[0] + x, pi_first_hole[1] + y]) children();
